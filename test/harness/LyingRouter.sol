// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// An aggregator's router that does what its calldata says, however bad.
contract LyingRouter {
    /// Gives one unit instead of what its calldata says.
    bool public isStingy;

    receive() external payable {}

    function beStingy() external {
        isStingy = true;
    }

    /// Takes and gives the amounts of the arguments. The zero address is the native coin.
    function exchange(address tokenIn, uint256 take, address tokenOut, uint256 give, address to) public payable {
        if (isStingy) give = 1;
        if (tokenIn != address(0) && take > 0) IToken(tokenIn).transferFrom(msg.sender, address(this), take);
        if (tokenOut != address(0)) IToken(tokenOut).transfer(to, give);
        else {
            (bool ok,) = to.call{value: give}("");
            require(ok);
        }
    }

    /// Gives well where no gas is paid, as in a simulation, and one unit in a transaction.
    function exchangeInSimulation(address tokenIn, uint256 take, address tokenOut, uint256 give, address to)
        external
        payable
    {
        exchange(tokenIn, take, tokenOut, tx.gasprice == 0 ? give : 1, to);
    }

    /// Has an accomplice of a token allow somebody to take the caller's.
    function exchangeAndGrant(address tokenIn, uint256 take, GrantingToken tokenOut, uint256 give, address to)
        external
        payable
    {
        exchange(tokenIn, take, address(tokenOut), give, to);
        tokenOut.grant(msg.sender, address(this));
    }
}

/// A token without a price that lets anybody allow anybody anything.
contract GrantingToken {
    string public constant name = "Granting";
    string public constant symbol = "GRANT";
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }

    function grant(address owner, address spender) external {
        allowance[owner][spender] = type(uint256).max;
        emit Approval(owner, spender, type(uint256).max);
    }
}
