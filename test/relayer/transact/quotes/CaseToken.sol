// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A token of 18 decimals with a settable behaviour; each is known from an existing token.
contract CaseToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public constant name = "Case";
    string public constant symbol = "CASE";
    uint8 public constant decimals = 18;
    uint256 public constant totalSupply = 1e30;
    mapping(address => uint256) public balanceOf;
    uint8 public way;
    /// Only transfers to this one are odd; the zero address for all.
    address public only;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    /// Takes a share of a balance without a log.
    function shrink(address holder, uint256 percent) external {
        balanceOf[holder] -= (balanceOf[holder] * percent) / 100;
    }

    function behave(uint8 how, address towards) external {
        way = how;
        only = towards;
    }

    /// 0 honest, 1 returns nothing, 2 returns false, 3 logs and moves nothing, 4 keeps 2 % and logs the rest. 5 keeps 2 % and
    /// logs the whole, 6 rounds two units away, 7 takes 2 % more from the sender, 8 moves without a log.
    function transfer(address to, uint256 amount) external {
        uint8 how = only == address(0) || only == to ? way : 0;
        if (how == 2) answer(0);
        if (how == 3) {
            emit Transfer(msg.sender, to, amount);
            answer(1);
        }
        uint256 kept = how == 4 || how == 5 ? amount / 50 : how == 6 ? 2 : 0;
        balanceOf[msg.sender] -= how == 7 ? amount + amount / 50 : amount;
        balanceOf[to] += amount - kept;
        if (how != 8) emit Transfer(msg.sender, to, how == 4 ? amount - kept : amount);
        if (how != 1) answer(1);
    }

    function answer(uint256 word) private pure {
        assembly {
            mstore(0, word)
            return(0, 32)
        }
    }
}
