// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Anyone may mint; each token below transfers in its own way.
abstract contract MintedToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public constant totalSupply = 1e30;
    mapping(address => uint256) public balanceOf;

    constructor(string memory named, string memory short, uint8 places) {
        name = named;
        symbol = short;
        decimals = places;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }
}

/// Keeps a hundredth of what is sent, or moves nothing and says so without failing.
contract OddToken is MintedToken("Odd", "ODD", 6) {
    bool public refuses;

    function refuse(bool whether) external {
        refuses = whether;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        if (refuses) return false;
        uint256 kept = amount / 100;
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount - kept;
        emit Transfer(msg.sender, to, amount - kept);
        return true;
    }
}

/// A token of 18 decimals with a settable behaviour; each is known from an existing token.
contract CaseToken is MintedToken("Case", "CASE", 18) {
    uint8 public way;
    /// Only transfers to this one are odd; the zero address for all.
    address public only;

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

/// Logs false payments between any addresses, and also makes the requested transfers.
contract LiarToken is MintedToken("Liar", "LIAR", 6) {
    address public praised;

    /// The address that every transfer also claims to have paid.
    function praise(address somebody) external {
        praised = somebody;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        if (praised != address(0)) emit Transfer(msg.sender, praised, amount);
        return true;
    }

    function claim(address from, address to, uint256 amount) public {
        emit Transfer(from, to, amount);
    }

    /// Logs claims, and executes any intents between two claims.
    function ride(address from, address to, uint256 amount, address orchestrator, bytes calldata intents) external {
        claim(from, to, amount);
        (bool success,) = orchestrator.call(intents);
        require(success, "the orchestrator refused");
        claim(from, to, amount);
    }
}
